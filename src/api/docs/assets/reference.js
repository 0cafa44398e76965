/** Redirects old links with an operation in the fragment to its page. Without this script they lead to its line in the list. */
const place = decodeURIComponent(location.hash.slice(1));
const link = place.startsWith('tag/') && document.getElementById(place)?.querySelector('a');
if (link) location.replace(link.href);
