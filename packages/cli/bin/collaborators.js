#!/usr/bin/env node
// Stands here as it is run, beside the compiled code: npm links a command when it installs, which may be before a build.
import '../dist/command.js';
