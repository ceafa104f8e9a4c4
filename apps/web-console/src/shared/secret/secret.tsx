import { VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyButton } from '../clipboard/copy-button.tsx'
import { MASK } from './mask.ts'
import { RevealButton } from './reveal-button.tsx'
import classes from './secret.module.css'

/** A value hidden until asked for, so that it does not end up in a screenshot; copying works either way. */
export function Secret({ value, what }: { value: string; what: string }) {
  const [shown, setShown] = useState(false)
  return (
    <span className={classes.secret}>
      {shown ? <code className={classes.value}>{value}</code> : <Masked />}
      <RevealButton shown={shown} onChange={setShown} what={what} />
      <CopyButton text={value} what={what} />
    </span>
  )
}

function Masked() {
  const { t } = useTranslation()
  return (
    <>
      <span className={classes.masked} aria-hidden="true">
        {MASK}
      </span>
      <VisuallyHidden>{t('secret.hidden')}</VisuallyHidden>
    </>
  )
}
