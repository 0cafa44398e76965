// Rules about what the service allows: access, limits of requests and bodies, announced ends.
import { define } from './rule.ts';

export const service = define('wire', {
  'access-narrowed': {
    title: 'Fewer may do it, or reach fewer records',
    level: 'major',
    undirected: true,
    why: 'Who was allowed is refused, or no longer finds what they found.',
  },
  'access-widened': {
    title: 'More may do it, or reach more records',
    level: 'minor',
    undirected: true,
    why: 'Who was allowed still is.',
  },
  'rate-limit-tightened': {
    title: 'A limit of requests was added',
    level: 'major',
    undirected: true,
    why: 'Clients that were within all limits get 429.',
  },
  'rate-limit-lifted': {
    title: 'A limit of requests was lifted',
    level: 'minor',
    undirected: true,
    why: 'More is accepted.',
  },
  'body-limit-lowered': {
    title: 'The largest body became smaller',
    level: 'major',
    undirected: true,
    why: 'Bodies that were accepted are refused with 413.',
  },
  'body-limit-raised': {
    title: 'The largest body became larger',
    level: 'minor',
    undirected: true,
    why: 'More is accepted.',
  },
  'sunset-announced': {
    title: 'The end of something was announced',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'It still works until then: news, not a break.',
  },
  'sunset-later': {
    title: 'An announced end comes later',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'It works for longer.',
  },
  'sunset-withdrawn': {
    title: 'An announced end was withdrawn',
    class: 'information',
    level: 'minor',
    undirected: true,
    why: 'It stays.',
  },
  'sunset-unreadable': {
    title: 'An announced end is no date',
    class: 'information',
    level: 'major',
    undirected: true,
    why: 'Clients were told a date, or will be told one, and can not read it: `x-sunset` is a day such as `2027-01-31`, or a time.',
  },
  'sunset-too-soon': {
    title: 'An end is announced that comes too soon',
    class: 'information',
    level: 'major',
    undirected: true,
    why: 'The policy promises a number of days (`grace-days`) between the announcement and the end. Without such a promise any day will do.',
  },
  'removed-after-sunset': {
    title: 'Something deprecated was removed after its announced end',
    level: 'minor',
    why: 'It was deprecated, its end was announced with `x-sunset`, and that day is over: who read the contract knew, and only that keeps old things from living for ever. Who holds semantic versions to the letter asks for `major` here: a client that never read it breaks all the same.',
  },
  'stability-lowered': {
    title: 'Less is promised',
    level: 'major',
    undirected: true,
    why: 'Of what is stable, changes are announced by the version; of what `x-stability-level` calls a draft, they are not. Who relied on it is left alone.',
  },
  'stability-raised': {
    title: 'More is promised',
    level: 'minor',
    undirected: true,
    why: 'It can be relied on from now on: news.',
  },
  'became-internal': {
    title: 'Something public became internal',
    level: 'major',
    undirected: true,
    why: 'What is marked `x-internal` is not for clients, and may change any day: to them it was removed.',
  },
  'became-public': {
    title: 'Something internal became public',
    level: 'minor',
    undirected: true,
    why: 'Clients may use it now: to them it was added.',
  },
  'sunset-earlier': {
    title: 'An announced end comes earlier',
    class: 'information',
    level: 'major',
    undirected: true,
    why: 'Clients have less time than they were promised.',
  },
});
