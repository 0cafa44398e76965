// Lifecycle: stability, internal parts, announced removals. All use the same date: see `day`.
import { absent, type Case, change, item, list, own, schemas, withPolicy } from './case.ts';

const nickname = `${schemas}/Collaborator/properties/nickname`;
const draft = { 'x-stability-level': 'draft' };
const rewarded = { ...draft, responses: { '200': { description: 'Some.' } } };

export const lifecycle: readonly Case[] = [
  change(
    'a deprecated property is removed after the day that was announced',
    nickname,
    { type: 'string', deprecated: true, 'x-sunset': '2027-01-01' },
    absent,
    own('removed-after-sunset', 'minor'),
    own('property-added', 'minor'),
  ),
  change(
    'a deprecated property is removed before the day that was announced',
    nickname,
    { type: 'string', deprecated: true, 'x-sunset': '2027-06-01' },
    absent,
    own('property-removed', 'major'),
    own('property-added', 'minor'),
  ),
  withPolicy(
    { rules: { 'removed-after-sunset': 'major' } },
    change(
      'a deprecated operation is removed after the day that was announced, where the policy asks for a major version',
      `${item}/put`,
      { deprecated: true, 'x-sunset': '2027-01-01', responses: { '204': { description: 'Done.' } } },
      absent,
      own('removed-after-sunset', 'major'),
      own('operation-added', 'minor'),
    ),
  ),
  change(
    'an announced end becomes no date',
    `${list}/x-sunset`,
    '2027-06-01',
    'next summer',
    own('sunset-unreadable', 'major'),
    own('sunset-announced', 'minor'),
  ),
  withPolicy(
    { lifecycle: { 'grace-days': 90 } },
    change(
      'an end is announced that comes within the days of grace',
      `${list}/x-sunset`,
      absent,
      '2027-03-01',
      own('sunset-too-soon', 'major'),
      own('sunset-withdrawn', 'minor'),
    ),
  ),
  change(
    'a stable operation becomes a beta',
    `${list}/x-stability-level`,
    'stable',
    'beta',
    own('stability-lowered', 'major'),
    own('stability-raised', 'minor'),
  ),
  change(
    'an operation becomes internal',
    `${list}/x-internal`,
    absent,
    true,
    own('became-internal', 'major'),
    own('became-public', 'minor'),
  ),
  change(
    'a response of a draft is replaced',
    '/paths/~1rewards/get',
    rewarded,
    { ...draft, responses: { '204': { description: 'None.' } } },
    own('status-replaced', 'none'),
    own('status-replaced', 'none'),
  ),
];
