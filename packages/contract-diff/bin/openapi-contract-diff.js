#!/usr/bin/env node
// Committed rather than built: npm links a package's commands at install time, which may be before a build.
import '../dist/command.js';
