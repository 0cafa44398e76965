/** Hands the answer of the authorization server to the page that asked, in the same tab. Who asked in a window reads its address. */
const name = 'docs.sign-in';
const begun = JSON.parse(sessionStorage.getItem(name) ?? 'null');
if (begun && !window.opener) {
  sessionStorage.setItem(name, JSON.stringify({ ...begun, answer: location.search }));
  location.replace(begun.return_to);
}
