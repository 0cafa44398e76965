/** Discouraged words with suggestions: one list for docs, contract, messages, and commands. */

interface Rule {
  /** Matched in a sentence without code. */
  pattern: RegExp;
  instead: string;
}

/** Stems that American English spells with -iz- and British English often with -is-. */
const ized =
  'anonymi|authori|categori|customi|emphasi|finali|generali|initiali|maximi|memori|minimi|normali|optimi|organi|parameteri|pseudonymi|prioriti|randomi|recogni|saniti|seriali|standardi|summari|synchroni|tokeni|utili';

export const rules: readonly Rule[] = [
  // Whole sentences only: headings and table cells may start like this.
  { pattern: /^(?:Who|Whoever|What)\b.*[.]$/, instead: 'a noun as the subject' },
  {
    pattern: /\b(?:of|for|by|to|from|with|helps|tells|lets) who\b/i,
    instead: 'the noun: "for people who", "to the admin who"',
  },
  { pattern: /\b(?:is|are|be|being|was|were) told\b/i, instead: 'who says or shows it, in the active voice' },
  { pattern: /\btell(?:s|ing)? (?:of|whom|that)\b/i, instead: 'show, say, report' },
  { pattern: /(?<!inject )\bfaults?\b(?![ -](?:inject|toler))/i, instead: 'error' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix' },
  { pattern: /(?<!\bquestion.*)\banswer(?:s|ed|ing)?\b(?!.*\bquestion)/i, instead: 'response, respond, return, get' },
  { pattern: /\bcan not\b/i, instead: "can't, cannot" },
  { pattern: /\bfor good\b/i, instead: 'permanently' },
  { pattern: /\bthat which\b/i, instead: 'the noun' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\b(?:at stake|comes? into question|stands? there)\b/i, instead: 'a plain verb' },
  { pattern: /\b(?:takes?|taken|took|taking) away\b/i, instead: 'remove, revoke' },
  { pattern: /\bthe own\b/i, instead: 'their own, its own' },
  { pattern: /\b(?:apps|data|people|records|programs|companies) of others\b/i, instead: "third-party, other people's" },
  { pattern: /\bany more\b(?! (?:than|\w+s)\b)/i, instead: 'anymore, no longer' },
  { pattern: /\bgo(?:es)? on\b/i, instead: 'continue, stay valid, keep working' },
  { pattern: /\bof (?:one's|its|their|our|your) own (?:accord|volition)\b/i, instead: 'automatically' },
  { pattern: /\bno longer than it takes\b|\bas it were\b|\bby now\b/i, instead: 'nothing' },
  { pattern: /\bplease\b/i, instead: 'nothing' },
  { pattern: /\bshall\b/i, instead: 'must, will' },
  { pattern: /\bin such a way\b|\bso far as\b/i, instead: 'so that, where' },
  { pattern: /\b(?:behaviou|colou|favou|honou|labou|neighbou)r/i, instead: 'American spelling' },
  {
    pattern: /\b(?:licence|defence|offence|centre|catalogue|grey|towards|labelled|modelled)s?\b/i,
    instead: 'American spelling',
  },
  { pattern: new RegExp(`\\b(?:un)?(?:${ized})s(?:e[drs]?|es|ing|ations?)\\b`, 'i'), instead: 'American spelling' },
];
