// Lifecycle: stability, internal parts, announced removals. All use the same date: see `day`.
import { absent, type Case, change, interfaceOnly, item, list, schemas, withPolicy } from './case.ts';

const nickname = `${schemas}/Collaborator/properties/nickname`;
const draft = { 'x-stability-level': 'draft' };
const rewards = { ...draft, responses: { '200': { description: 'Some.' } } };

export const lifecycle: readonly Case[] = [
  change(
    'a deprecated property is removed after its sunset date',
    nickname,
    { type: 'string', deprecated: true, 'x-sunset': '2027-01-01' },
    absent,
    interfaceOnly('removed-after-sunset', 'minor'),
    interfaceOnly('property-added', 'minor'),
  ),
  change(
    'a deprecated property is removed before its sunset date',
    nickname,
    { type: 'string', deprecated: true, 'x-sunset': '2027-06-01' },
    absent,
    interfaceOnly('property-removed', 'major'),
    interfaceOnly('property-added', 'minor'),
  ),
  withPolicy(
    { rules: { 'removed-after-sunset': 'major' } },
    change(
      'a deprecated operation is removed after its sunset date, and the policy requires a major version',
      `${item}/put`,
      { deprecated: true, 'x-sunset': '2027-01-01', responses: { '204': { description: 'Done.' } } },
      absent,
      interfaceOnly('removed-after-sunset', 'major'),
      interfaceOnly('operation-added', 'minor'),
    ),
  ),
  change(
    'a sunset date becomes invalid',
    `${list}/x-sunset`,
    '2027-06-01',
    'next summer',
    interfaceOnly('sunset-unreadable', 'major'),
    interfaceOnly('sunset-announced', 'minor'),
  ),
  withPolicy(
    { lifecycle: { 'grace-days': 90 } },
    change(
      'a sunset date within the grace period is announced',
      `${list}/x-sunset`,
      absent,
      '2027-03-01',
      interfaceOnly('sunset-too-soon', 'major'),
      interfaceOnly('sunset-withdrawn', 'minor'),
    ),
  ),
  change(
    'a stable operation becomes beta',
    `${list}/x-stability-level`,
    'stable',
    'beta',
    interfaceOnly('stability-lowered', 'major'),
    interfaceOnly('stability-raised', 'minor'),
  ),
  change(
    'an operation becomes internal',
    `${list}/x-internal`,
    absent,
    true,
    interfaceOnly('became-internal', 'major'),
    interfaceOnly('became-public', 'minor'),
  ),
  change(
    'the response status of a draft operation is replaced',
    '/paths/~1rewards/get',
    rewards,
    { ...draft, responses: { '204': { description: 'None.' } } },
    interfaceOnly('status-replaced', 'none'),
    interfaceOnly('status-replaced', 'none'),
  ),
];
