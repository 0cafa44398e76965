/** Puts a button on each sample that copies it. Without this script the page is complete. */
for (const figure of document.querySelectorAll('figure.code')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(figure.querySelector('code').textContent);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select it and press Ctrl-C';
    }
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 2_000);
  });
  figure.querySelector('figcaption').append(button);
}
