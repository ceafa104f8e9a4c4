import { useEffect } from 'react'
import { useProduct } from '../../shared/bundle.ts'
import { useSigningTexts } from '../../shared/signing/signing-page.ts'
import { TestComputer } from '../../shared/signing/test-computer.tsx'
import { computerTests } from '../api/computer-tests.ts'
import { PublicFrame } from '../frame/public-frame.tsx'
import classes from '../validate/validate.module.css'

/** Where anybody finds out whether a token at a computer can sign here. */
export function TestComputerPage() {
  const product = useProduct()
  const { title, lead } = useSigningTexts().computer
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <PublicFrame>
      <div className={classes.page}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{lead}</p>
        <TestComputer requests={computerTests} />
      </div>
    </PublicFrame>
  )
}
