// Independent judges: programs we did not write, run on what we made.
//
//   const { ok, text } = await openssl(['cms', '-verify', '-inform', 'DER', …], { input: signature })
export { freePort } from './free-port.ts'
export { type ModificationRules, modificationRules, WANTED_REFERENCE } from './modification-rules.ts'
export { openssl, runTool, type Tool, type ToolOptions, type ToolRun } from './run-tool.ts'
export { temporaryFolder } from './temporary-folder.ts'
export { type TlsAuthority, type TlsFiles, type TlsIssue, tlsAuthority } from './tls-authority.ts'
