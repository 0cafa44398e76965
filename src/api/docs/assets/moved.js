/** Old links name an operation behind `#` of the documentation's first page, where the reference was. */
if (location.hash.startsWith('#tag/')) location.replace(`/docs/reference${location.hash}`);
