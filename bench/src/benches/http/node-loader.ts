import { startProgram } from '../../harness/program.ts'
import { CONNECTIONS, LOADER_CORE, type Load, type LoadGenerator } from './load.ts'

/** A load generator in Node, for machines without `wrk`; it is slower than a fast server, which it then understates. */
export const nodeLoader: LoadGenerator = {
  description: `the built-in Node loader (${CONNECTIONS} connections), which understates fast servers; install wrk`,
  run: async (target, forMs) => {
    const args = [JSON.stringify({ target, forMs })]
    const program = await startProgram<Load>(new URL('./node-loader-process.ts', import.meta.url), {
      args,
      core: LOADER_CORE,
    })
    await program.stop()
    return program.message
  },
}
