/** Passes the authorization response to the page that started it in the same tab. */
const name = 'docs.sign-in';
const begun = JSON.parse(sessionStorage.getItem(name) ?? 'null');
if (begun) {
  sessionStorage.setItem(name, JSON.stringify({ ...begun, answer: location.search }));
  location.replace(begun.return_to);
}
