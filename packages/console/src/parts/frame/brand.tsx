/** The logo, the same as on the service's other pages. */
export function Brand() {
  return (
    <svg aria-hidden="true" focusable="false" width="28" height="28" viewBox="0 0 28 28">
      <rect className="brand-ground" width="28" height="28" rx="8" />
      <circle className="brand-figure" cx="10.5" cy="10.5" r="3.25" />
      <circle className="brand-figure" cx="18.75" cy="12" r="2.5" />
      <path className="brand-figure" d="M4.75 20.5c0-3.2 2.4-5.25 5.75-5.25s5.75 2.05 5.75 5.25z" />
      <path
        className="brand-figure"
        d="M17.75 20.5c0-1.75-.4-3.2-1.2-4.4.65-.35 1.4-.5 2.2-.5 2.5 0 4.25 1.6 4.25 4.9z"
      />
    </svg>
  );
}
