/* Passkey forms. Without this script they stay hidden, and the rest of the page works. */
(() => {
  const webauthn = globalThis.SimpleWebAuthnBrowser;
  if (!webauthn.browserSupportsWebAuthn()) return;

  const ask = async (form, useBrowserAutofill) => {
    const failed = form.querySelector('[data-failed]');
    const optionsJSON = JSON.parse(form.dataset.options);
    failed.hidden = true;
    try {
      const made =
        form.dataset.passkey === 'create'
          ? await webauthn.startRegistration({ optionsJSON })
          : await webauthn.startAuthentication({ optionsJSON, useBrowserAutofill });
      form.elements.credential.value = JSON.stringify(made);
      HTMLFormElement.prototype.submit.call(form);
    } catch (error) {
      failed.hidden = useBrowserAutofill || error.name === 'AbortError';
    }
  };

  for (const form of document.querySelectorAll('form[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      ask(form, false);
    });
  }
  /* Autofill of the address field. */
  const offered = document.querySelector('form[data-passkey="offer"]');
  if (offered) webauthn.browserSupportsWebAuthnAutofill().then((can) => can && ask(offered, true));
})();
