// Rules about service limits: access, rate limits, body sizes, announced removals.
import { define } from './rule.ts';

export const service = define('wire', {
  'access-narrowed': {
    title: 'Fewer callers are allowed, or they reach fewer records',
    level: 'major',
    undirected: true,
    reason: 'Callers that were allowed are rejected, or no longer find records.',
  },
  'access-widened': {
    title: 'More callers are allowed, or they reach more records',
    level: 'minor',
    undirected: true,
    reason: 'Callers that were allowed still are.',
  },
  'rate-limit-tightened': {
    title: 'A rate limit was added',
    level: 'major',
    undirected: true,
    reason: 'Clients below all former limits get 429.',
  },
  'rate-limit-lifted': {
    title: 'A rate limit was removed',
    level: 'minor',
    undirected: true,
    reason: 'The service accepts more requests.',
  },
  'body-limit-lowered': {
    title: 'The maximum body size was lowered',
    level: 'major',
    undirected: true,
    reason: 'Bodies that were accepted are rejected with 413.',
  },
  'body-limit-raised': {
    title: 'The maximum body size was raised',
    level: 'minor',
    undirected: true,
    reason: 'The service accepts more.',
  },
  'sunset-announced': {
    title: 'A sunset date was announced',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'It works until then.',
  },
  'sunset-later': {
    title: 'A sunset date was postponed',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'It works for longer.',
  },
  'sunset-withdrawn': {
    title: 'A sunset date was withdrawn',
    class: 'information',
    level: 'minor',
    undirected: true,
    reason: 'It stays.',
  },
  'sunset-unreadable': {
    title: "A sunset date can't be read",
    class: 'information',
    level: 'major',
    undirected: true,
    reason: "`x-sunset` must be a day such as `2027-01-31`, or a time. Clients can't plan with anything else.",
  },
  'sunset-too-soon': {
    title: 'A sunset date is too soon',
    class: 'information',
    level: 'major',
    undirected: true,
    reason: 'The policy promises a number of days (`grace-days`) between the announcement and the sunset.',
  },
  'removed-after-sunset': {
    title: 'Something deprecated was removed after its sunset date',
    level: 'minor',
    reason: 'It was deprecated, and its sunset date is over, so clients were warned.',
  },
  'stability-lowered': {
    title: 'The stability level was lowered',
    level: 'major',
    undirected: true,
    reason: 'The version announces changes of a stable operation to clients, but not those of a draft.',
  },
  'stability-raised': {
    title: 'The stability level was raised',
    level: 'minor',
    undirected: true,
    reason: 'Clients can rely on it from now on.',
  },
  'became-internal': {
    title: 'Something public became internal',
    level: 'major',
    undirected: true,
    reason: '`x-internal` is not for clients, so for them it was removed.',
  },
  'became-public': {
    title: 'Something internal became public',
    level: 'minor',
    undirected: true,
    reason: 'Clients may use it, so for them it was added.',
  },
  'sunset-earlier': {
    title: 'A sunset date was brought forward',
    class: 'information',
    level: 'major',
    undirected: true,
    reason: 'Clients have less time than they were promised.',
  },
});
