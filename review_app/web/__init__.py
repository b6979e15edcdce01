"""Routes and middleware around Streamlit: sign-in, files, health, security headers."""
