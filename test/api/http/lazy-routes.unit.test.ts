import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { onFirstRequest } from '../../../src/api/http/lazy-routes.ts';

const respondWithError: ErrorRequestHandler = (error, _req, res, _next) => void res.status(503).send(error.message);

/** @param outcomes of successive loads */
function serviceWith(outcomes: ('fails' | 'loads')[]) {
  const loads: string[] = [];
  const app = express();
  app.use(
    onFirstRequest(async () => {
      const outcome = outcomes[loads.length]!;
      loads.push(outcome);
      await new Promise((resolve) => setTimeout(resolve, 20));
      if (outcome === 'fails') throw new Error('not to be had');
      return (req, res, next) => (req.path === '/here' ? res.send('here') : next());
    }),
  );
  app.get('/behind', (_req, res) => void res.send('behind'));
  app.use(respondWithError);
  return { app, loads };
}

test('loads at the first request, and once for concurrent ones', async () => {
  const { app, loads } = serviceWith(['loads']);
  expect(loads).toEqual([]);
  const responses = await Promise.all(Array.from({ length: 5 }, () => request(app).get('/here')));
  expect(responses.map(({ text }) => text)).toEqual(Array(5).fill('here'));
  await request(app).get('/here').expect('here');
  expect(loads).toEqual(['loads']);
});

test('passes unhandled requests on', async () => {
  await request(serviceWith(['loads']).app)
    .get('/behind')
    .expect(200, 'behind');
});

test('if loading fails, the request fails and the next one retries', async () => {
  const { app, loads } = serviceWith(['fails', 'loads']);
  await request(app).get('/here').expect(503, 'not to be had');
  await request(app).get('/here').expect(200, 'here');
  expect(loads).toEqual(['fails', 'loads']);
});
