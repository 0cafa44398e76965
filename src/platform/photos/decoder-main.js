// @ts-check
/**
 * The process that decodes photos, and the only file that uses the image library. It has no settings, secrets, or connections:
 * photos arrive on standard input, avatars leave on standard output, and it exits with the service. `decoder-process.ts` is the
 * other end, and defines the messages.
 *
 * Plain JavaScript, because it runs without a JIT (`--jitless`), and Node's TypeScript support needs one.
 *
 *     node --jitless decoder-main.js <most bytes of memory>
 */
import sharp from 'sharp';

const side_px = 512;
const look_every_ms = 25;
const head_bytes = 5;
const request = { decode: 1, decode_strictly: 2 };
const answer = { ready: 1, avatar: 2, refused: 3 };

// The library reads many formats, including SVG and PDF: only the accepted ones stay enabled.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer', 'VipsForeignLoadWebpBuffer'] });
sharp.cache(false); // no picture is read twice
sharp.concurrency(1); // threads for one picture

// Ctrl-C reaches all processes of a terminal, but the service decides when this one exits.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

// The kernel enforces the same limit where possible; this covers other systems.
const most_bytes = Number(process.argv[2]);
setInterval(() => {
  if (process.memoryUsage.rss() > most_bytes) end();
}, look_every_ms).unref();

/** @type {Buffer[]} */
let pieces = [];
let waiting_bytes = 0;
process.stdin.on('data', (piece) => {
  pieces.push(piece);
  waiting_bytes += piece.length;
  if (waiting_bytes < head_bytes) return;
  if (pieces[0].length < head_bytes) pieces = [Buffer.concat(pieces)];
  if (waiting_bytes < head_bytes + pieces[0].readUInt32BE(1)) return;
  const message = Buffer.concat(pieces);
  pieces = []; // the next message comes after the response to this one
  waiting_bytes = 0;
  const is_strict = message[0] === request.decode_strictly;
  const photo = message.subarray(head_bytes);
  avatarOf(photo, is_strict ? 'warning' : 'error').then(
    (avatar) => send(answer.avatar, avatar),
    (error) => send(answer.refused, Buffer.from(String(error).slice(0, 1_000))),
  );
});
process.stdin.on('end', end);
process.stdin.on('error', end);
process.stdout.on('error', end);
send(answer.ready, Buffer.alloc(0));

/**
 * Uses the first frame of an animated picture.
 * @param {Buffer} photo
 * @param {'error' | 'warning'} strictness the severity from which a defect is fatal
 * @returns {Promise<Buffer>} 512×512 WebP, upright, without metadata
 */
function avatarOf(photo, strictness) {
  return sharp(photo, { failOn: strictness, limitInputPixels: false, pages: 1 })
    .autoOrient()
    .resize(side_px, side_px, { fit: 'cover' })
    .toColourspace('srgb')
    .webp({ quality: 82 })
    .toBuffer();
}

/**
 * @param {number} kind
 * @param {Buffer} content
 */
function send(kind, content) {
  const head = Buffer.alloc(head_bytes);
  head.writeUInt8(kind, 0);
  head.writeUInt32BE(content.length, 1);
  process.stdout.write(Buffer.concat([head, content]));
}

/** Kills the process, because `exit` waits for the decoding thread. */
function end() {
  process.kill(process.pid, 'SIGKILL');
}
