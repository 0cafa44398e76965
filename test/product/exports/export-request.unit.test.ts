import { personFilename } from '../../../src/product/exports/content/export-request.ts';

test.each([
  ['João Pedro Nogueira', 'joao-pedro-nogueira.json'],
  ['Łukasz O’Neill-Żak', 'łukasz-o-neill-zak.json'],
  ['김철수', '김철수.json'],
  ['../../etc/passwd', 'etc-passwd.json'],
  ['?? ..', 'collaborator.json'],
  ['con', '_con.json'],
])('the file of a person named %s is %s', (name, filename) => {
  expect(personFilename(name, 'json')).toBe(filename);
});
