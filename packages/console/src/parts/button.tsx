import type { ComponentProps } from 'react';

interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  busy?: boolean;
}

export function Button({ kind = 'plain', busy = false, disabled, className = '', ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      className={`button ${kind} ${className}`}
      disabled={disabled || busy}
      aria-busy={busy || undefined}
    />
  );
}
