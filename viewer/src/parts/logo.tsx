/** planloom's sign and name. */
export function Logo() {
  return (
    <span className="logo">
      <svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
        <rect width="24" height="24" rx="6" className="logo-ground" />
        <path
          d="M6 7.5h6.5a2.5 2.5 0 0 1 0 5h-1a2.5 2.5 0 0 0 0 5H18"
          fill="none"
          stroke="#fff"
          strokeWidth="1.8"
          strokeLinecap="round"
        />
        <circle cx="6" cy="7.5" r="1.9" fill="#fff" />
        <circle cx="18" cy="17.5" r="1.9" fill="#fff" />
      </svg>
      planloom
    </span>
  );
}
