import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useProduct } from '../../shared/bundle.ts'
import { TestComputer } from '../../shared/signing/test-computer.tsx'
import { computerTests } from '../api/computer-tests.ts'
import { PublicFrame } from '../frame/public-frame.tsx'
import classes from '../validate/validate.module.css'

/** Where anybody finds out whether a token at a computer can sign here. */
export function TestComputerPage() {
  const { t } = useTranslation('signing')
  const product = useProduct()
  const title = t('computer.title')
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
  return (
    <PublicFrame>
      <div className={classes.page}>
        <h1 className={classes.title}>{title}</h1>
        <p className={classes.lead}>{t('computer.lead')}</p>
        <TestComputer requests={computerTests} />
      </div>
    </PublicFrame>
  )
}
