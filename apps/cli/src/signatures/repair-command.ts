import { repairPdf } from '@chancela/signature-engine/pdf'
import type { CommandContext } from '../command-context.ts'
import { eachFile } from './each-file.ts'
import { inputFiles, readInput, writeOutput } from './files.ts'
import { repairedName } from './output-names.ts'
import { outputFor } from './output-place.ts'
import { logProduced, type Produced } from './produced-files.ts'

export interface RepairCommandOptions {
  readonly force?: boolean
  readonly json?: boolean
}

/** `chancela repair IN.pdf [OUT.pdf]`: rewrites a damaged PDF that nobody has signed. A healthy one is left alone. */
export async function repairCommand(
  context: CommandContext,
  path: string,
  out: string | undefined,
  options: RepairCommandOptions,
): Promise<void> {
  const inputs = await inputFiles([path])
  const outputOf = await outputFor([path], out, repairedName)
  const outcomes = await eachFile(context, inputs, async (input) => {
    const produced = await repairFile(input.path, outputOf(input), options)
    context.log(`${input.path}: ${sentences[produced.state as keyof typeof sentences](produced)}`)
    return produced
  })
  logProduced(context, outcomes, { json: options.json, done: 'looked at' })
}

async function repairFile(path: string, output: string, options: RepairCommandOptions): Promise<Produced> {
  const repair = repairPdf(await readInput(path))
  // The file that is to be used from here on: a healthy one is its own.
  if (repair.state === 'healthy') return { output: path, state: 'healthy' }
  await writeOutput(output, repair.bytes, options)
  return { output, state: 'repaired', lost: repair.lost.join(' ') }
}

const sentences = {
  healthy: () => 'healthy; nothing was written.',
  repaired: ({ lost }: Produced) => `repaired; look at it before you sign it.${lost ? ` Objects lost: ${lost}.` : ''}`,
} as const
