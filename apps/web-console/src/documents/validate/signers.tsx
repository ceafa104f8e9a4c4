import { Panel } from '../../shared/parts/panel.tsx'
import type { SignerInfo } from '../api/types.ts'
import { SignerCard } from './signer-card.tsx'
import classes from './validate.module.css'

/** The signatures of a file, in its order. */
export function Signers({ title, signers }: { title: string; signers: readonly SignerInfo[] }) {
  if (signers.length === 0) return null
  return (
    <Panel title={title}>
      <ol className={classes.signers}>
        {signers.map((signer, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: signatures stand in the order of the file and have no names
          <SignerCard key={index} signer={signer} />
        ))}
      </ol>
    </Panel>
  )
}
