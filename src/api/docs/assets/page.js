/** Adds copy buttons, a language switch for equivalent samples, and the `/` shortcut for search. Pages also work without it. */
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

const programming = ['Shell', 'TypeScript', 'Python', 'PHP', 'Go'];
const languageOf = (figure) => figure.querySelector('figcaption').firstChild.textContent;
const stored = 'docs-language';

/** Consecutive samples in different programming languages. */
function variants() {
  const groups = [];
  for (const figure of document.querySelectorAll('figure.code')) {
    const last = groups.at(-1);
    const follows = last && figure.previousElementSibling === last.at(-1);
    if (!programming.includes(languageOf(figure))) groups.push([figure]);
    else if (follows && last.every((each) => programming.includes(languageOf(each)))) last.push(figure);
    else groups.push([figure]);
  }
  return groups.filter((group) => group.length > 1 && new Set(group.map(languageOf)).size === group.length);
}

const choices = variants().map((group) => {
  const bar = document.createElement('div');
  bar.className = 'languages';
  bar.setAttribute('role', 'group');
  bar.setAttribute('aria-label', 'Language of the sample');
  for (const figure of group) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = languageOf(figure);
    button.addEventListener('click', () => choose(button.textContent));
    bar.append(button);
  }
  group[0].before(bar);
  return { group, bar };
});

/** Applies to all samples of the page, and to later pages. */
function choose(language) {
  try {
    localStorage.setItem(stored, language);
  } catch {
    // Without storage, the next page shows the first language again.
  }
  show(language);
}

function show(language) {
  for (const { group, bar } of choices) {
    const shown = group.find((figure) => languageOf(figure) === language) ?? group[0];
    for (const figure of group) figure.hidden = figure !== shown;
    for (const button of bar.children) {
      button.setAttribute('aria-pressed', String(button.textContent === languageOf(shown)));
    }
  }
}

let chosen;
try {
  chosen = localStorage.getItem(stored);
} catch {
  chosen = null;
}
show(chosen);

document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, select, textarea')) return;
  event.preventDefault();
  const field = document.querySelector('input[type=search]');
  if (field) field.focus();
  else location.assign('/docs/search');
});
