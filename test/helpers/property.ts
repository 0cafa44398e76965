/** fast-check, with the same inputs in every run: a test never fails at random. SEED=… tries others. */
import fc from 'fast-check';

fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) });

export default fc;
