import { Button, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { FileQuestion, ShieldCheck } from 'lucide-react'
import { type FormEvent, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { refusalCode } from '../../shared/api/request.ts'
import { useProduct } from '../../shared/bundle.ts'
import { PageState } from '../../shared/feedback/page-state.tsx'
import { Queried } from '../../shared/parts/queried.tsx'
import { signaturesQuery } from '../api/participant.ts'
import type { SignaturesInfo } from '../api/types.ts'
import { PublicFrame } from '../frame/public-frame.tsx'
import { groupedCode, readCode } from './document-code.ts'
import { DocumentPanel } from './document-panel.tsx'
import { JudgedFile } from './judged-file.tsx'
import { PublicContent } from './public-content.tsx'
import { Signers } from './signers.tsx'
import classes from './validate.module.css'

/** Asks for the code printed on a document. */
export function ValidatePage() {
  const { t } = useTranslation('documents-validate')
  const navigate = useNavigate()
  useTitle(t('title'))

  function check(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const key = readCode(String(new FormData(event.currentTarget).get('code')))
    if (key !== '') void navigate({ to: '/validate/$key', params: { key } })
  }

  return (
    <PublicFrame>
      <div className={classes.page}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
        <form className={classes.form} onSubmit={check}>
          <TextInput name="code" label={t('code')} autoComplete="off" spellCheck={false} autoFocus required />
          <Button type="submit" leftSection={<ShieldCheck size={16} aria-hidden="true" />}>
            {t('check')}
          </Button>
        </form>
        <JudgedFile />
      </div>
    </PublicFrame>
  )
}

/** What anybody with the code may see: who signed, and whether the signatures are valid. */
export function ValidationPage() {
  const { t } = useTranslation('documents-validate')
  const { key } = useParams({ from: '/validate/$key' })
  const code = readCode(key)
  const query = useQuery(signaturesQuery(code))
  useTitle(query.data?.name ?? t('title'))
  return (
    <PublicFrame>
      <div className={classes.page}>
        {refusalCode(query.error) === 'DocumentInvalidKey' ? (
          <PageState icon={FileQuestion} title={t('unknown', { code: groupedCode(code) })} tone="bad" isPage>
            {t('unknownText')}
          </PageState>
        ) : (
          <Queried query={query} lines={8}>
            {(info) => <Verdicts info={info} />}
          </Queried>
        )}
        <Link to="/validate">{t('other')}</Link>
      </div>
    </PublicFrame>
  )
}

function Verdicts({ info }: { info: SignaturesInfo }) {
  const { t } = useTranslation('documents-validate')
  return (
    <>
      <h1 className={classes.title}>{info.name}</h1>
      <DocumentPanel info={info} />
      <PublicContent info={info} />
      <Signers title={t('signatures')} signers={info.signers} />
      <JudgedFile digests={info.digests} />
    </>
  )
}

function useTitle(title: string): void {
  const product = useProduct()
  useEffect(() => {
    document.title = `${title} · ${product}`
  }, [title, product])
}
