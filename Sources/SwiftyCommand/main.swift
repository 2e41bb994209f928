print("swifty")
