// What a process of the command line loads; a command loads the rest when it runs.
export { endSoon } from './end-soon.ts'
export { runCli } from './run-cli.ts'
