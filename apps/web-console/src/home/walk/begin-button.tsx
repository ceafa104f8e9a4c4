import type { WalkView } from '@chancela/demo/contract'
import { Button } from '@mantine/core'
import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { call } from '../../shared/api/request.ts'
import { useLanguage } from '../../shared/i18n/use-language.ts'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import classes from './walk.module.css'

/** Sends the contract and goes to the page of the walk. */
export function BeginButton({ children, quiet = false }: { children: string; quiet?: boolean }) {
  const { language } = useLanguage()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()

  async function begin() {
    setBusy(true)
    setFailure(undefined)
    try {
      const { id } = await call<WalkView>('POST', 'api/walks', { body: { language }, timeoutSeconds: 60 })
      location.assign(`walk?id=${id}`)
    } catch (error) {
      setFailure(error)
      setBusy(false)
    }
  }

  return (
    <div className={classes.begin}>
      <Button
        size="md"
        variant={quiet ? 'default' : 'filled'}
        loading={busy}
        leftSection={<PenLine size={18} aria-hidden="true" />}
        onClick={() => void begin()}
      >
        {children}
      </Button>
      {failure !== undefined && <ProblemNote error={failure} />}
    </div>
  )
}
