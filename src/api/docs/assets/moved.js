/** Redirects old links with an operation in the fragment of the home page, where the reference used to be. */
if (location.hash.startsWith('#tag/')) location.replace(`/docs/reference${location.hash}`);
