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
  'sunset-earlier': {
    title: 'An announced end comes earlier',
    class: 'information',
    level: 'major',
    undirected: true,
    why: 'Clients have less time than they were promised.',
  },
});
