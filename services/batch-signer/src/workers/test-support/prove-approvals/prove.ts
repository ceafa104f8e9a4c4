// `npm run prove:approvals`: people decide at random while processes are killed, and every promise is checked offline.
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { type FinalJob, promises } from './check-history.ts'
import { type ApprovalProof, proveApprovals, worldKinds } from './prove-approvals.ts'

const usage = `Usage: npm run prove:approvals -- [options]

  --kills <n>  processes killed per world (default 100)
  --files <n>  files given to the service per world (default 600)
  --seed <n>   repeats the choices of another run, which printed it (default: random)
  --only <kind>  one of: ${worldKinds.join('; ')}
  --write      writes the figures into docs/prove-approvals.md
`

const FIGURES = new URL('../../../../../../docs/prove-approvals.md', import.meta.url)

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    files: { type: 'string', default: '600' },
    seed: { type: 'string', default: String(Math.floor(Math.random() * 1_000_000)) },
    only: { type: 'string' },
    write: { type: 'boolean' },
    help: { type: 'boolean' },
  },
})

const say = (text: string): void => void process.stdout.write(`${text}\n`)

async function prove(): Promise<number> {
  say(`prove:approvals, seed ${values.seed}`)
  const proof = await proveApprovals({
    kills: Number(values.kills),
    files: Number(values.files),
    seed: Number(values.seed),
    kinds: worldKinds.filter((kind) => values.only === undefined || kind === values.only),
    onKill: (kind, kill) => {
      if (kill % 10 === 0) say(`  ${kind}: ${kill} of ${values.kills} kills`)
    },
  })
  const broken = proof.worlds.flatMap((world) => world.broken.map(({ kind, about }) => `  BROKEN, ${kind}: ${about}`))
  say([...rowsOf(proof).map((row) => `  ${row.join(': ')}`), ...broken].join('\n'))
  if (proof.kept) say(`  kept in ${proof.kept}`)
  if (values.write) writeFileSync(FIGURES, markdownOf(proof))
  return broken.length === 0 ? 0 : 1
}

/** A row of figures: what, then one figure for each world. */
function rowsOf({ worlds }: ApprovalProof): readonly (readonly string[])[] {
  const row = (what: string, figure: (world: (typeof worlds)[number]) => number) => [
    what,
    ...worlds.map((world) => String(figure(world))),
  ]
  const ended = (status: string) =>
    row(`jobs that ended ${status}`, ({ history }) => history.jobs.filter((job) => job.status === status).length)
  return [
    ['world', ...worlds.map(({ kind }) => kind)],
    row('kill -9', () => Number(values.kills)),
    row('files', ({ history }) => history.files.length),
    row('decisions sent', ({ calls }) => calls),
    row('of them taken', ({ taken }) => taken),
    row('of them never answered', ({ unanswered }) => unanswered),
    row('of them by signature', ({ history }) => history.jobs.flatMap(signaturesOf).length),
    row('forgeries sent', ({ history }) => history.calls.filter(({ isForged }) => isForged).length),
    row('decisions sent without a code', ({ history }) => history.calls.filter(({ isCodeless }) => isCodeless).length),
    row('rules edited meanwhile', ({ edited }) => edited),
    row('copies and signatures altered meanwhile', ({ tampered }) => tampered),
    ...['Completed', 'Canceled', 'Failed', 'AwaitingApproval'].map(ended),
    row('files handed back', ({ history }) => history.files.filter(({ handedBack }) => handedBack.length > 0).length),
    ...Object.keys(promises).map((kind) => row(kind, ({ broken }) => broken.filter((one) => one.kind === kind).length)),
  ]
}

const signaturesOf = ({ recorded }: FinalJob) => recorded.filter(({ thumbprint }) => thumbprint !== null)

function markdownOf(proof: ApprovalProof): string {
  const [head, ...rows] = rowsOf(proof).map((row) => `| ${row.join(' | ')} |`)
  return `# Approvals under fire

Figures of \`npm run prove:approvals\`. Files come into five folders. The profiles of three ask for the word of one, two
or three of four approvers, the last within four seconds; those of the two others for two signatures, in place of the
key of the profile or besides it. Four people decide at random over HTTP, each with a session of the portal and a
certificate of the demo PKI: they approve and reject, some twice at once, some after the fact, some under an address
that is in no pool, with the certificate of another, or with a signature over something else. In the worlds with codes
they have authenticator apps and decide in the portal, some from a browser in which no code was given. An operator
cancels, pauses and edits rules: who is in a pool, and how many are needed. Somebody alters copies that people decide
about, and signatures that were collected. All the while processes are killed with SIGKILL and started again, some of
them while they recover: one process on SQLite, two on PostgreSQL that share store and folders.

Afterwards nothing is asked but what is there: every answer that people were given, the record of every job, and every
file in the folders, whose signed content and whose signers openssl takes out.

${head}
|---|${proof.worlds.map(() => '---|').join('')}
${rows.join('\n')}

The same choices again: \`npm run prove:approvals -- --kills ${values.kills} --files ${values.files} --seed ${values.seed}\`.
`
}

if (values.help) process.stdout.write(usage)
else process.exitCode = await prove()
