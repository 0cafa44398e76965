/** Links of earlier days name an operation behind `#`: it has a page of its own now. Without this script its line in the list is shown. */
const place = decodeURIComponent(location.hash.slice(1));
const link = place.startsWith('tag/') && document.getElementById(place)?.querySelector('a');
if (link) location.replace(link.href);
