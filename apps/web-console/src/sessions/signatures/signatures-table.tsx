import { useTranslation } from 'react-i18next'
import parts from '../../console/parts/parts.module.css'
import { useCodeText } from '../../shared/bundle.ts'
import { CopyButton } from '../../shared/clipboard/copy-button.tsx'
import { useFormats } from '../../shared/format/use-formats.ts'
import { type Column, DataTable } from '../../shared/parts/data-table.tsx'
import type { LoggedSignature } from '../api/types.ts'
import { SignatureChip } from '../parts/chips.tsx'
import { CpfText } from '../parts/cpf-text.tsx'
import classes from './signatures.module.css'

export interface SignaturesTableProps {
  signatures: readonly LoggedSignature[]
  onShow: (id: string) => void
}

export function SignaturesTable({ signatures, onShow }: SignaturesTableProps) {
  const { t } = useTranslation(['sessions-activity', 'console'])
  const { dateAndTime } = useFormats()
  const columns: readonly Column<LoggedSignature>[] = [
    {
      key: 'document',
      title: t('signatures.columns.file'),
      isHeader: true,
      cell: ({ id, fileName }) => (
        <button
          type="button"
          className={parts.open}
          aria-label={t('console:show', { what: fileName })}
          onClick={() => onShow(id)}
        >
          {fileName}
        </button>
      ),
    },
    {
      key: 'state',
      title: t('signatures.columns.state'),
      cell: ({ state, code }) => (
        <span className={parts.stack}>
          <SignatureChip state={state} />
          {code && <CodeText code={code} />}
        </span>
      ),
    },
    { key: 'holder', title: t('signatures.columns.holder'), cell: ({ cpf }) => <CpfText cpf={cpf} /> },
    { key: 'application', title: t('signatures.columns.application'), cell: ({ application }) => application || '–' },
    { key: 'started', title: t('signatures.columns.started'), cell: ({ startedAt }) => dateAndTime(startedAt) },
    {
      key: 'signatureId',
      title: t('signatures.columns.signatureId'),
      cell: ({ signatureId }) => <SignatureId signatureId={signatureId} />,
    },
  ]
  return <DataTable caption={t('signatures.caption')} columns={columns} rows={signatures} rowKey={({ id }) => id} />
}

/** The explanation of its error code, in the visitor's language. */
function CodeText({ code }: { code: string }) {
  const { explain } = useCodeText()
  return <span className={parts.small}>{explain(code)}</span>
}

/** The id clients fetch the document by. */
export function SignatureId({ signatureId }: { signatureId: string | null }) {
  const { t } = useTranslation('sessions-activity')
  if (signatureId === null) return t('signatures.none')
  return (
    <span className={classes.id}>
      <code className={classes.idText}>{signatureId}</code>
      <CopyButton text={signatureId} what={t('signatures.signatureId')} />
    </span>
  )
}
