/** A unit test that asks for a database does not find the one of the run: it belongs to another tier. */
delete process.env.TEST_POSTGRES_URL;
delete process.env.TEST_TEMPLATE;
