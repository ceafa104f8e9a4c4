import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Panel } from '../../shared/parts/panel.tsx'
import { asMark, asPlaced } from '../pdf/mark-geometry.ts'
import { type DraftAction, type DraftFlow, kinds, withChange } from './flow-draft.ts'
import { useActionName } from './flow-panel.tsx'
import { MarkPlacer, markId, type OwnedMark } from './mark-placer.tsx'
import classes from './new.module.css'
import { isPdf, type NewFile } from './use-new-files.ts'

export interface MarksPanelProps {
  files: readonly NewFile[]
  flow: DraftFlow
  onChange: (flow: DraftFlow) => void
}

/** Places the visible signatures: marks on the pages of the files, stored with the signers. */
export function MarksPanel({ files, flow, onChange }: MarksPanelProps) {
  const { t } = useTranslation('documents-new')
  const nameOf = useActionName()
  const pdfs = files.flatMap(({ file, state }) =>
    isPdf(file) && state.kind === 'sent' ? [{ id: state.uploadId, name: file.name, source: file }] : [],
  )
  const signers = flow.flat().filter(({ type }) => kinds[type].signs)
  const marks = useMemo(() => marksOf(flow), [flow])
  const keep = (kept: readonly OwnedMark[]) =>
    onChange(
      signers.reduce((changed: DraftFlow, action) => {
        const own = kept.filter(({ owner }) => owner === action.key).map((mark) => asMark(mark, mark.file))
        return withChange(changed, { ...action, marks: own })
      }, flow),
    )
  return (
    <Panel title={t('marks.title')} lead={t('marks.lead')}>
      {pdfs.length === 0 && <p className={classes.quiet}>{t('marks.noPdf')}</p>}
      {pdfs.length > 0 && signers.length === 0 && <p className={classes.quiet}>{t('marks.noSigners')}</p>}
      {pdfs.length > 0 && signers.length > 0 && (
        <MarkPlacer
          files={pdfs}
          owners={signers.map((action) => ({ key: action.key, name: nameOf(action) }))}
          marks={marks}
          onChange={keep}
        />
      )}
    </Panel>
  )
}

const marksOf = (flow: DraftFlow): readonly OwnedMark[] => flow.flat().flatMap(marksOfAction)

const marksOfAction = ({ key, marks }: DraftAction): readonly OwnedMark[] =>
  marks.map((mark, at) => ({ ...asPlaced(mark, markId(key, at)), owner: key, file: mark.uploadId ?? '' }))
