/** The prose linter finds the texts of each kind of file, and nothing else. */
import { wordsFound } from '../../scripts/lint/prose/rule.ts';

const locationsOf = (path: string, content: string) =>
  wordsFound(path, content).map((found) => found.replace(/ \(write: .*/, ''));

test.each([
  ['docs/a.md', '# Title\n\nThe first line,\nand it can not end.\n', 'docs/a.md:3: "can not"'],
  ['docs/a.md', '- Who was deleted comes back.\n', 'docs/a.md:1: "Who was deleted comes back."'],
  ['docs/a.md', '| name | admins are told |\n', 'docs/a.md:1: "are told"'],
  ['openapi/a.yaml', 'a:\n  description: |\n    A line.\n\n    The answer.\n', 'openapi/a.yaml:5: "answer"'],
  ['src/a.po', 'msgid ""\n"It has a "\n"fault."\nmsgstr "x"\n', 'src/a.po:1: "fault"'],
  ['src/a.ts', "\nconst a = 'mend it and send it';\n", 'src/a.ts:2: "mend"'],
])('%s: %j', (path, content, found) => {
  expect(locationsOf(path, content)).toEqual([found]);
});

test.each([
  ['docs/a.md', '```sh\ncan not\n```\n<!-- are told -->\nA `can not` and “a test that can not fail”. What is it?\n'],
  ['docs/a.md', '## What to do\n'],
  ['openapi/a.yaml', 'a:\n  example: the answer\n  description: A text.\nb: can not\n'],
  ['src/a.po', 'msgid "Fine"\nmsgstr "answer"\n'],
  ['src/a.ts', "// can not be\n/** are told */\nconst a = 'answer';\n"],
])('finds nothing in %s: %j', (path, content) => {
  expect(locationsOf(path, content)).toEqual([]);
});
