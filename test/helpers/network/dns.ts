/** A real DNS server for tests, whose responses can change from one query to the next (the needed part of RFC 1035). */
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { isIPv4 } from 'node:net';

export interface NameServer {
  resolver: Resolver;
  /** Number of queries for IPv4 addresses. */
  questions: number;
  close(): Promise<void>;
}

/**
 * @param answers the responses to successive queries; the last one repeats. Each is a list of IPv4 and IPv6 addresses,
 * `undefined` for NXDOMAIN, or `silence`
 */
export async function nameServer(...answers: (string[] | undefined | 'silence')[]): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: Record<number, number> = { [typeA]: 0, [typeAaaa]: 0 };
  socket.on('message', (question, sender) => {
    const end = question.indexOf(0, 12) + 5; // name, type, and class
    const type = question.readUInt16BE(end - 4);
    const turn = asked[type] ?? 0;
    asked[type] = turn + 1;
    const answer = answers[Math.min(turn, answers.length - 1)];
    if (answer === 'silence') return;
    const addresses = (answer ?? []).filter((address) => isIPv4(address) === (type === typeA));
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(answer ? 0x8180 : 0x8183, 2); // no error, or NXDOMAIN
    head.writeUInt16BE(addresses.length, 6);
    head.writeUInt32BE(0, 8);
    const records = addresses.map((address) => Buffer.concat([recordHead(type, address), addressBytes(address)]));
    socket.send(Buffer.concat([head, question.subarray(12, end), ...records]), sender.port, sender.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  resolver.setServers([`127.0.0.1:${socket.address().port}`]);
  return {
    resolver,
    get questions() {
      return asked[typeA]!;
    },
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

export interface TxtServer {
  address: string;
  /** Texts by queried name, in lower case. */
  records: Map<string, string[]>;
  close(): Promise<void>;
}

/** Serves only TXT records. */
export async function txtServer(): Promise<TxtServer> {
  const socket = createSocket('udp4');
  const records = new Map<string, string[]>();
  socket.on('message', (question, sender) => {
    const end = question.indexOf(0, 12) + 5;
    const texts = records.get(nameIn(question)) ?? [];
    const head = Buffer.from(question.subarray(0, 12));
    head.writeUInt16BE(texts.length > 0 ? 0x8180 : 0x8183, 2);
    head.writeUInt16BE(texts.length, 6);
    head.writeUInt32BE(0, 8);
    const answers = texts.map((text) => {
      const length = Buffer.byteLength(text);
      return Buffer.concat([
        Buffer.from([0xc0, 0x0c, 0, 16, 0, 1, 0, 0, 0, 0, 0, length + 1, length]),
        Buffer.from(text),
      ]);
    });
    socket.send(Buffer.concat([head, question.subarray(12, end), ...answers]), sender.port, sender.address);
  });
  await new Promise<void>((bound) => socket.bind(0, '127.0.0.1', bound));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

function nameIn(question: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; question[at] !== 0; at += question[at]! + 1)
    labels.push(question.subarray(at + 1, at + 1 + question[at]!).toString('latin1'));
  return labels.join('.').toLowerCase();
}

const typeA = 1;
const typeAaaa = 28;

/** The queried name, type, class IN, TTL 0, and the length of the address. */
function recordHead(type: number, address: string): Buffer {
  return Buffer.from([0xc0, 0x0c, 0, type, 0, 1, 0, 0, 0, 0, 0, isIPv4(address) ? 4 : 16]);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = '', after = ''] = address.split('::') as [string, string?];
  const groups = (text: string) => text.split(':').filter(Boolean);
  const left = groups(before);
  const right = groups(after);
  const all = [...left, ...Array(8 - left.length - right.length).fill('0'), ...right];
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex');
}
