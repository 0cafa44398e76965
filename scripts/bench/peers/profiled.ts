// Loaded in front of a process under measurement (`node --import`): profiles its CPU on request, so that its start does
// not count. POST begins; GET ends, and answers with the profile.
import { createServer } from 'node:http';
import { Session } from 'node:inspector/promises';

const intervalUs = 200;
const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.setSamplingInterval', { interval: intervalUs });

createServer(async (req, res) => {
  if (req.method === 'POST') {
    await session.post('Profiler.start');
    res.end();
  } else {
    const { profile } = await session.post('Profiler.stop');
    res.end(JSON.stringify(profile));
  }
})
  .listen(Number(process.env.PROFILE_PORT), '127.0.0.1')
  .unref();
