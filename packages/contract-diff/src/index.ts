// Library entry point. The command line is command.ts.

export { newestRelease, releaseName } from './load/sources/released.ts';
export type { SourceOptions } from './load/sources/source.ts';
export { CannotCompare } from './model/cannot-compare.ts';
export {
  type Bump,
  type Direction,
  type Finding,
  type FindingClass,
  findingClasses,
  type Level,
  type Scope,
  strictest,
} from './model/findings.ts';
export { mitigationOf, otherChoicesOf } from './policy/advice.ts';
export { describeClasses, describeLevels, explain } from './policy/explain.ts';
export type { ExtensionUse, Lifecycle, PolicyFile } from './policy/policy.ts';
export type { Rule } from './policy/rule.ts';
export { classOf, isRule, levelOf, type RuleId, rules } from './policy/rules.ts';
export { changelogEntry, markdownChangelog, withEntry } from './report/changelog.ts';
export { type FormatName, formats } from './report/formats.ts';
export { githubReport } from './report/github.ts';
export { htmlChangelog, htmlReport } from './report/html.ts';
export { jsonReport } from './report/json.ts';
export { junitReport } from './report/junit.ts';
export { markdownReport } from './report/markdown.ts';
export { sarifReport } from './report/sarif.ts';
export { textReport } from './report/text.ts';
export { compareContracts, type Options, type Result } from './verdict/compare-contracts.ts';
export type { Verdict } from './verdict/versions.ts';
