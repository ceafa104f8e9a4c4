import { NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { FileField } from '../../shared/parts/file-field.tsx'
import { Panel } from '../../shared/parts/panel.tsx'
import { fileAsBase64 } from '../../shared/upload/file-as-base64.ts'
import type { PanelProps } from './profile-form.tsx'
import classes from './profiles.module.css'
import { boxOf, corners, newVisible, PAGE, pageOf, sampleLine, type Visible } from './visible-draft.ts'

/** What the signatures of a PDF show and say; of the other formats there is nothing to see. */
export function VisiblePanel({ draft, change, errorOf }: PanelProps) {
  const { t } = useTranslation('batch-profiles')
  const { visible, signatureReason, signatureLocation, format } = draft
  const isUsed = visible !== null || signatureReason !== null || signatureLocation !== null
  // Something that is set can always be taken away, even where it has no meaning.
  if (format !== null && format !== 'Pades' && !isUsed) return null
  const set = (changes: Partial<Visible>) => visible && change({ visible: { ...visible, ...changes } })
  return (
    <Panel title={t('visible.title')}>
      <div className={classes.fields}>
        <TextInput
          label={t('visible.reason')}
          description={t('visible.reasonHint')}
          maxLength={200}
          value={signatureReason ?? ''}
          error={errorOf('signatureReason')}
          onChange={(event) => change({ signatureReason: event.currentTarget.value || null })}
        />
        <TextInput
          label={t('visible.location')}
          maxLength={200}
          value={signatureLocation ?? ''}
          error={errorOf('signatureLocation')}
          onChange={(event) => change({ signatureLocation: event.currentTarget.value || null })}
        />
      </div>
      <Switch
        label={t('visible.on')}
        description={t('visible.onHint')}
        checked={visible !== null}
        error={errorOf('visible')}
        onChange={(event) => change({ visible: event.currentTarget.checked ? newVisible : null })}
      />
      {visible && (
        <div className={classes.visible}>
          <VisibleFields visible={visible} set={set} />
          <Preview visible={visible} texts={{ reason: signatureReason ?? '', location: signatureLocation ?? '' }} />
        </div>
      )}
    </Panel>
  )
}

type SetVisible = (changes: Partial<Visible>) => void

function VisibleFields({ visible, set }: { visible: Visible; set: SetVisible }) {
  const { t } = useTranslation('batch-profiles')
  const { page } = visible
  const kind = typeof page === 'number' ? 'number' : page
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={t('visible.page')}
        value={kind}
        data={(['first', 'last', 'number'] as const).map((value) => ({ value, label: t(`visible.pages.${value}`) }))}
        onChange={(event) => set({ page: pageOf(event.currentTarget.value) })}
      />
      {kind === 'number' && (
        <NumberInput
          label={t('visible.pageNumber')}
          min={1}
          allowDecimal={false}
          value={page as number}
          onChange={(value) => set({ page: pageOf(String(value)) })}
        />
      )}
      <NativeSelect
        label={t('visible.corner')}
        value={visible.corner}
        data={corners.map((value) => ({ value, label: t(`visible.corners.${value}`) }))}
        onChange={(event) => set({ corner: event.currentTarget.value as Visible['corner'] })}
      />
      {(['x', 'y', 'width', 'height'] as const).map((name) => (
        <NumberInput
          key={name}
          label={t(`visible.${name}`)}
          min={0}
          max={14_400}
          value={visible[name]}
          onChange={(value) => set({ [name]: Number(value) || 0 })}
        />
      ))}
      <Textarea
        label={t('visible.lines')}
        description={t('visible.linesHint')}
        autosize
        minRows={3}
        value={visible.lines.join('\n')}
        onChange={(event) => set({ lines: event.currentTarget.value.split('\n').slice(0, 12) })}
      />
      <FileField
        label={t('visible.image')}
        description={t('visible.imageHint')}
        accept=".png,.jpg,.jpeg,image/png,image/jpeg"
        chosen={visible.image === null ? undefined : t('visible.imageChosen')}
        onFiles={([file]) => file && void fileAsBase64(file).then((image) => set({ image }))}
      />
      <Switch
        label={t('visible.border')}
        checked={visible.border}
        onChange={(event) => set({ border: event.currentTarget.checked })}
      />
      {visible.image !== null && (
        <Switch label={t('visible.withImage')} checked onChange={() => set({ image: null })} />
      )}
    </div>
  )
}

/** Where the signature stands on an A4 page, and about what it says. */
function Preview({ visible, texts }: { visible: Visible; texts: Readonly<Record<string, string>> }) {
  const { t } = useTranslation('batch-profiles')
  const { x, y, width, height } = boxOf(visible)
  const lines = visible.lines.map((line) => sampleLine(line, texts))
  const picture = visible.image === null ? 0 : width * 0.35
  const step = Math.min(14, (height - 8) / Math.max(1, lines.length))
  return (
    <figure className={classes.preview}>
      <svg viewBox={`0 0 ${PAGE.width} ${PAGE.height}`} role="img" aria-label={t('visible.preview')}>
        <rect className={classes.sheet} width={PAGE.width} height={PAGE.height} />
        <rect className={visible.border ? classes.boxBorder : classes.box} {...{ x, y, width, height }} />
        {picture > 0 && <rect className={classes.picture} x={x + 4} y={y + 4} width={picture} height={height - 8} />}
        {lines.map((line, index) => (
          <text
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
            key={index}
            className={classes.line}
            x={x + 4 + picture + (picture && 4)}
            y={y + 4 + step * (index + 0.75)}
            fontSize={Math.min(10, step * 0.8)}
          >
            {line}
          </text>
        ))}
      </svg>
      <figcaption>{t('visible.previewText')}</figcaption>
    </figure>
  )
}
