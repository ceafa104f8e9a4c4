import { parseArgs } from 'node:util'

export interface DemoOptions {
  /** Delete everything an earlier start left in the data folder. */
  readonly fresh: boolean
  /** Names of the base URLs to start; empty for all. */
  readonly only: readonly string[]
  /** Where the demo keeps its state. */
  readonly data: string
  /** Settings file that overrides the demo's values. */
  readonly config: string | undefined
  readonly help: boolean
}

export const usage = `npm start [-- options]

  --only a,b     start a part: names as in the table, comma-separated
  --fresh        begin anew: forget keys, certificates and data of former starts
  --data DIR     keep the state there (default: data)
  --config FILE  settings to lay over the demo's; CHANCELA__… variables go last
  --help         this text
`

/** Reads the command line; an unknown option is an error with the usage, not a guess. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      fresh: { type: 'boolean', default: false },
      only: { type: 'string', multiple: true, default: [] },
      data: { type: 'string', default: 'data' },
      config: { type: 'string' },
      help: { type: 'boolean', default: false, short: 'h' },
    },
  })
  return { ...values, config: values.config, only: values.only.flatMap((list) => list.split(',')).filter(Boolean) }
}
