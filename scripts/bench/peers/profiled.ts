// Preloaded into a server under test (`node --import`): profiles the CPU on demand, which excludes startup. POST starts
// profiling; GET stops it and returns the profile.
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
