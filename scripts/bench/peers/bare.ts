// The least a service can do: node:http and pg with a prepared statement; no token, no validation, no log.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 });
const text = `select id, name, email, phone, position, department, status, role, hire_date, salary, manager_id,
  work_schedule, location, emergency_contact, created_at, updated_at
  from collaborators where company_id = $1 and id = $2 and deleted_at is null`;

const server = createServer(async (req, res) => {
  const id = req.url!.slice(req.url!.lastIndexOf('/') + 1);
  const { rows } = await pool.query({ name: 'get', text, values: [req.headers['x-company-id'], id] });
  const body = JSON.stringify({ ...rows[0], salary: Number(rows[0].salary), avatar_url: null });
  res.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) });
  res.end(body);
});
server.listen(0, '127.0.0.1', () => {
  console.log(JSON.stringify({ base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
process.on('SIGTERM', () => process.exit(0));
