import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { ProblemNote } from '../../shared/parts/problem-note.tsx'
import { judgeFile } from '../api/participant.ts'
import type { SignaturesInfo } from '../api/types.ts'
import { Signers } from './signers.tsx'
import classes from './validate.module.css'
import { summaryOf } from './verdicts.ts'

type Judged = Awaited<ReturnType<typeof judgeFile>> & { readonly name: string }

/** A file from anywhere: whether it is the document of the code, and what its signatures are worth. */
export function JudgedFile({ digests }: { digests?: SignaturesInfo['digests'] }) {
  const { t } = useTranslation('documents-validate')
  const [state, setState] = useState<{ busy?: boolean; judged?: Judged; failure?: unknown }>({})

  async function judge([file]: readonly File[]) {
    setState({ busy: true })
    try {
      setState({ judged: { ...(await judgeFile(file!)), name: file!.name } })
    } catch (failure) {
      setState({ failure })
    }
  }

  const { judged, failure, busy } = state
  return (
    <Panel title={t(digests ? 'file.compare' : 'file.title')}>
      {/* The field takes a file that is dropped on it, as browsers do. */}
      <FileField
        label={t('file.label')}
        description={t('file.hint')}
        accept=".pdf,.p7s,.xml"
        chosen={judged?.name}
        onFiles={(files) => void judge(files)}
      />
      {busy && <p role="status">{t('file.busy')}</p>}
      {failure !== undefined && <ProblemNote error={failure} />}
      {judged && (
        <>
          {digests && <Comparison digests={digests} sha256={judged.sha256} />}
          <p className={classes.summary} data-verdict={summaryOf(judged.signers)} role="status">
            {judged.signers.length === 0 ? t('file.unsigned') : t(`summary.${summaryOf(judged.signers)}`)}
          </p>
          <Signers title={t('file.signatures')} signers={judged.signers} />
        </>
      )}
    </Panel>
  )
}

function Comparison({ digests, sha256 }: { digests: SignaturesInfo['digests']; sha256: string }) {
  const { t } = useTranslation('documents-validate')
  const which = sha256 === digests.signed ? 'signed' : sha256 === digests.original ? 'original' : 'other'
  return (
    <p className={classes.summary} data-verdict={which === 'other' ? 'invalid' : 'valid'} role="status">
      {t(`file.is.${which}`)}
    </p>
  )
}
