import { Eye, EyeOff } from 'lucide-react'
import { useId, useState } from 'react'
import classes from './signing.module.css'
import { useSigningTexts } from './signing-page.ts'

/** The password of a key file. */
export function PasswordField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { file } = useSigningTexts()
  const id = useId()
  const [isShown, setIsShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{file.password}</label>
      <span className={classes.password}>
        <input
          id={id}
          type={isShown ? 'text' : 'password'}
          // A password manager must not store the password of a key.
          autoComplete="off"
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
        <button
          type="button"
          aria-label={file.showPassword}
          aria-pressed={isShown}
          onClick={() => setIsShown(!isShown)}
        >
          <Icon size={16} aria-hidden="true" />
        </button>
      </span>
    </div>
  )
}
