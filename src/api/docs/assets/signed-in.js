/** Passes the authorization response to the page that started it in the same tab. A page that opened a window reads its URL. */
const name = 'docs.sign-in';
const begun = JSON.parse(sessionStorage.getItem(name) ?? 'null');
if (begun && !window.opener) {
  sessionStorage.setItem(name, JSON.stringify({ ...begun, answer: location.search }));
  location.replace(begun.return_to);
}
