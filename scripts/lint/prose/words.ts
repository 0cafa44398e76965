/** Discouraged words with suggestions: one list for docs, contract, messages, and commands. */

interface Rule {
  /** Matched in a sentence without code. */
  pattern: RegExp;
  suggestion: string;
}

/** Stems that American English spells with -iz- and British English often with -is-. */
const ized =
  'anonymi|authori|categori|customi|emphasi|finali|generali|initiali|maximi|memori|minimi|normali|optimi|organi|parameteri|pseudonymi|prioriti|randomi|recogni|saniti|seriali|standardi|summari|synchroni|tokeni|utili';

export const rules: readonly Rule[] = [
  // Whole sentences only: headings and table cells may start like this.
  { pattern: /^(?:Who|Whoever|What)\b.*[.]$/, suggestion: 'a noun as the subject' },
  {
    pattern: /\b(?:of|for|by|to|from|with|helps|tells|lets) who\b/i,
    suggestion: 'the noun: "for people who", "to the admin who"',
  },
  { pattern: /\b(?:is|are|be|being|was|were) told\b/i, suggestion: 'who says or shows it, in the active voice' },
  { pattern: /\btell(?:s|ing)? (?:of|whom|that)\b/i, suggestion: 'show, say, report' },
  { pattern: /(?<!inject )\bfaults?\b(?![ -](?:inject|toler))/i, suggestion: 'error' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, suggestion: 'fix' },
  {
    pattern: /(?<!\bquestion.*)\banswer(?:s|ed|ing)?\b(?!.*\bquestion)/i,
    suggestion: 'response, respond, return, get',
  },
  { pattern: /\bcan not\b/i, suggestion: "can't, cannot" },
  { pattern: /\bfor good\b/i, suggestion: 'permanently' },
  { pattern: /\bthat which\b/i, suggestion: 'the noun' },
  { pattern: /\banew\b/i, suggestion: 'again' },
  { pattern: /\b(?:at stake|comes? into question|stands? there)\b/i, suggestion: 'a plain verb' },
  { pattern: /\b(?:takes?|taken|took|taking) away\b/i, suggestion: 'remove, revoke' },
  { pattern: /\bthe own\b/i, suggestion: 'their own, its own' },
  {
    pattern: /\b(?:apps|data|people|records|programs|companies) of others\b/i,
    suggestion: "third-party, other people's",
  },
  { pattern: /\bany more\b(?! (?:than|\w+s)\b)/i, suggestion: 'anymore, no longer' },
  { pattern: /\bgo(?:es)? on\b/i, suggestion: 'continue, stay valid, keep working' },
  { pattern: /\bof (?:one's|its|their|our|your) own (?:accord|volition)\b/i, suggestion: 'automatically' },
  { pattern: /\bno longer than it takes\b|\bas it were\b|\bby now\b/i, suggestion: 'nothing' },
  { pattern: /\bplease\b/i, suggestion: 'nothing' },
  { pattern: /\bshall\b/i, suggestion: 'must, will' },
  { pattern: /\bin such a way\b|\bso far as\b/i, suggestion: 'so that, where' },
  { pattern: /\b(?:behaviou|colou|favou|honou|labou|neighbou)r/i, suggestion: 'American spelling' },
  {
    pattern: /\b(?:licence|defence|offence|centre|catalogue|grey|towards|labelled|modelled)s?\b/i,
    suggestion: 'American spelling',
  },
  { pattern: new RegExp(`\\b(?:un)?(?:${ized})s(?:e[drs]?|es|ing|ations?)\\b`, 'i'), suggestion: 'American spelling' },
];
