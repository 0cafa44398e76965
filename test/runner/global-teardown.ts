export { cleanUp as default } from './global-setup.ts';
