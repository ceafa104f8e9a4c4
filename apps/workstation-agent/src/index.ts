// The workstation agent: holds a signer's certificates at their own machine and signs for the session server.
//
//   await enrol(home, 'https://sessions.example', code)
//   const agent = await startAgent({ home })
export { enrol } from './enrol.ts'
export type { OpenBrowser } from './prompt/open-browser.ts'
export { runAgentCli } from './run-agent-cli.ts'
export { addFile, addToken } from './source-commands.ts'
export { type AgentOptions, type RunningAgent, startAgent } from './start-agent.ts'
